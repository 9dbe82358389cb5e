import { Suggestions, SuggestQuery } from "@/lib/catalog/search/contract";
import { suggestSearch } from "@/lib/catalog/search/suggest-search";
import { endpoint } from "@/lib/platform/api/endpoint";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const GET = endpoint(
  {
    summary: "Suggest products, categories and pass types for typed text",
    access: "public",
    coalesced: true,
    query: SuggestQuery,
    result: Suggestions,
    errors: [],
    readCost: READ_COSTS.suggestion,
  },
  ({ query, locale }) => suggestSearch(query.keyword, locale),
);
