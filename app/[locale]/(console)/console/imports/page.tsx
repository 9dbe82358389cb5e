import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ImportsScreen } from "@/components/staff/imports/imports-screen";
import { ImportsInput } from "@/lib/staff/imports/contract";
import { importKindsOf, listImports } from "@/lib/staff/imports/list-imports";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  path: "/console/imports",
  title: "console.imports.title",
  access: staff("imports.read"),
  input: ImportsInput,
  read: (input, { viewer }) => listImports(viewer, input),
  more: async ({ viewer }) => ({ kinds: importKindsOf(viewer) }),
  screen: ImportsScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
