import { redirect } from "next/navigation";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { AuditScreen } from "@/components/staff/audit-screen";
import { seesOwnOnly } from "@/lib/platform/auth/permissions";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { localizedPath } from "@/lib/platform/routing/paths";
import { AuditInput } from "@/lib/staff/audit/contract";
import { listAudit } from "@/lib/staff/audit/list-audit";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("audit.read");
const PATH = "/console/audit";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.audit" }))("title"),
  );

export default async function AuditPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const values = await queryValues(props.searchParams);
  const input = AuditInput.safeParse(values);
  const list = await (input.success ? listAudit(page.viewer, input.data) : Promise.reject(input.error)).catch(
    (error: unknown) => {
      if (input.success && !isShopError(error, "cursor_invalid")) throw error;
      redirect(localizedPath(PATH, { locale: page.locale, surface: "desktop" }));
    },
  );
  const ownOnly = seesOwnOnly(page.viewer.staff.roles, "audit.read");
  return <AuditScreen list={list} values={values} ownOnly={ownOnly} />;
}
