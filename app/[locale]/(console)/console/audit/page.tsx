import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { AuditScreen } from "@/components/staff/audit-screen";
import { AuditInput } from "@/lib/staff/audit/contract";
import { listAudit } from "@/lib/staff/audit/list-audit";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "audit",
  path: "/console/audit",
  title: "console.audit.title",
  access: staff("audit.read"),
  input: AuditInput,
  read: (input, { viewer }) => listAudit(viewer, input),
  screen: AuditScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
