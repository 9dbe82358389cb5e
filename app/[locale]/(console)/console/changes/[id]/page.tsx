import { ChangeRecord } from "@/components/merchants/console/change-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleChange } from "@/lib/merchants/changes/queries-console";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("changes.decide");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.changes" }))("title"),
  );

export default async function ConsoleChangePage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/changes/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const found = await getConsoleChange(id, page.locale).catch((error: unknown) => {
    if (!isShopError(error, "change_unknown")) throw error;
  });
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { line: _line, ...change } = found;
  return <ChangeRecord change={change} />;
}
