import type { GoodwillRights } from "@/components/orders/console/order-actions";
import { OrderRecord } from "@/components/orders/console/order-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { limitOf, mayStaff, mostRole, permissionRule } from "@/lib/platform/auth/permissions";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

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

const RECORD = consoleRecord(staff("orders.read"), {
  path: "/console/orders/[id]",
  title: "console.order.title",
  read: (id, { locale }) => getConsoleOrder(id, locale),
  unknown: "order_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleOrderPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { roles } = page.viewer.staff;
  return (
    <OrderRecord
      order={page.found}
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
