import { LibraryList } from "@/lib/delivery/contract";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The viewer's passes with masked codes",
    access: "user",
    result: LibraryList,
    errors: [],
  },
  ({ viewer, locale }) => listLibrary(viewer, locale),
);
