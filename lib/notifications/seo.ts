import type { FAQPage, WithContext } from "schema-dts";

/** JSON-LD of the help centre (docs/product.md#11-markup-for-search-engines). */
export const helpJsonLd = (items: readonly { question: string; answer: string }[]): WithContext<FAQPage> => ({
  "@context": "https://schema.org",
  "@type": "FAQPage",
  mainEntity: items.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  })),
});
