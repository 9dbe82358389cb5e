// `/blog?q=…` (next.config.ts): rendered for each request, unlike the lists.
export { default, generateMetadata } from "@/app/[locale]/[surface]/blog/[[...list]]/page";
