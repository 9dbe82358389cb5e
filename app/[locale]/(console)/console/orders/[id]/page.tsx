import type { GoodwillRights } from "@/components/orders/console/order-actions";
import { OrderRecord } from "@/components/orders/console/order-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleOrder } from "@/lib/orders/console/queries-detail";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { limitOf, mayStaff, mostRole, permissionRule, staff } from "@/lib/staff/rules";

const ACCESS = staff("orders.read");
const GOODWILL = "refunds.goodwill";

function goodwillRights(roles: readonly string[]): GoodwillRights | null {
  const role = mostRole(roles, GOODWILL);
  if (!role) return null;
  const limitCents = limitOf([role], GOODWILL);
  return {
    role,
    limitCents: Number.isFinite(limitCents) ? limitCents : null,
    secondPersonAboveCents: permissionRule(GOODWILL).fourEyesAbove!,
  };
}

type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.order" }))("title"),
  );

export default async function ConsoleOrderPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/orders/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const found = await getConsoleOrder(id, page.locale).catch((error: unknown) => {
    if (!isShopError(error, "order_unknown")) throw error;
  });
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { roles } = page.viewer.staff;
  return (
    <OrderRecord
      order={found}
      mayWrite={mayStaff(roles, "notes.write")}
      may={{
        write: mayStaff(roles, "orders.write"),
        refunds: mayStaff(roles, "refunds.decide"),
        replacements: mayStaff(roles, "replacements.decide"),
        goodwill: goodwillRights(roles),
      }}
    />
  );
}
