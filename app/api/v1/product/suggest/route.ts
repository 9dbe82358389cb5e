import { Suggestions, SuggestQuery } from "@/lib/catalog/contract-search";
import { suggestSearch } from "@/lib/catalog/queries-search";
import { endpoint } from "@/lib/endpoint";

export const GET = endpoint(
  {
    summary: "Suggest products, categories and kinds of pass for the letters typed so far",
    access: "public",
    shared: true,
    query: SuggestQuery,
    result: Suggestions,
    errors: [],
  },
  ({ query, locale }) => suggestSearch(query.keyword, locale),
);
