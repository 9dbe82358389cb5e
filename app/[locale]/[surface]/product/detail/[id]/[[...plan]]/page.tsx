export { default, generateMetadata } from "@/app/[locale]/[surface]/product/[slug]/[[...plan]]/page";

export const dynamic = "force-static";
