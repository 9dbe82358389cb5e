import { LibraryList } from "@/lib/delivery/contract";
import { listLibrary } from "@/lib/delivery/queries";
import { endpoint } from "@/lib/endpoint";

export const GET = endpoint(
  {
    summary: "The passes that one owns, codes masked",
    access: "user",
    result: LibraryList,
    errors: [],
  },
  ({ viewer, locale }) => listLibrary(viewer, locale),
);
