import { ConsoleProductParams, RevisionList, RevisionsQuery } from "@/lib/catalog/console/contract-editor";
import { listRevisions } from "@/lib/catalog/console/list-revisions";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The revisions of a product",
    description: "The newest first, 20 at a time, each with the fields that it changed.",
    access: staff("products.read"),
    params: ConsoleProductParams,
    query: RevisionsQuery,
    result: RevisionList,
    errors: ["product_unknown"],
  },
  ({ params, query }) => listRevisions(params.id, query.before),
);
