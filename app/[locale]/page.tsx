/** Paths with one segment that no rewrite matches, such as /x.txt. */
export { default, generateMetadata } from "@/app/[locale]/[surface]/[...rest]/page";
