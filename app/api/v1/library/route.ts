import { LibraryList } from "@/lib/delivery/contract";
import { listLibrary } from "@/lib/delivery/library/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The passes that one owns, codes masked",
    access: "user",
    result: LibraryList,
    errors: [],
  },
  ({ viewer, locale }) => listLibrary(viewer, locale),
);
