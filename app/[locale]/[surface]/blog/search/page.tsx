import BlogPage, {
  generateMetadata as generateListMetadata,
} from "@/app/[locale]/[surface]/blog/[[...list]]/page";
import type { PageProps } from "@/lib/platform/pages/page";

/** `/blog?q=…` (next.config.ts), which is rendered for each request, unlike the lists. */
const withQuery = ({ params, searchParams }: PageProps) => ({
  params: Promise.all([params, searchParams]).then(([path, query]) => ({ ...path, query })),
});

export const generateMetadata = (props: PageProps) => generateListMetadata(withQuery(props));

export default function BlogSearchPage(props: PageProps) {
  return BlogPage(withQuery(props));
}
