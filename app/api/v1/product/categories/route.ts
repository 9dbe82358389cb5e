import { CategoryList } from "@/lib/catalog/contract";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  { summary: "List the categories", access: "public", coalesced: true, result: CategoryList, errors: [] },
  async ({ locale }) => {
    const items = await listCategories(locale);
    return { items, total: items.length };
  },
);
