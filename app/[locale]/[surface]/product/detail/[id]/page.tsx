export { default, generateMetadata } from "@/app/[locale]/[surface]/product/[slug]/page";
