import { redirect } from "next/navigation";
import type { GoodwillRights } from "@/components/orders/console/order-actions";
import { OrderRecord } from "@/components/orders/console/order-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { hasSandboxSignals } from "@/lib/orders/console/send-sandbox-signal";
import { highestRole, limitOf, mayStaff, permissionRule } from "@/lib/platform/auth/permissions";
import { formatPrice, toCents } from "@/lib/platform/money";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { localizedPath } from "@/lib/platform/routing/paths";
import { listMentionable } from "@/lib/staff/notes/list-mentionable";
import { staff } from "@/lib/staff/rules";

const PATH = "/console/orders";
const GOODWILL = "refunds.goodwill";

function goodwillRights(roles: readonly string[]): GoodwillRights | null {
  const role = highestRole(roles, GOODWILL);
  if (!role) return null;
  const limitCents = limitOf([role], GOODWILL);
  return {
    role,
    limitCents: Number.isFinite(limitCents) ? limitCents : null,
    secondPersonAboveCents: permissionRule(GOODWILL).fourEyesAbove!,
  };
}

const RECORD = consoleRecord(staff("orders.read"), {
  path: `${PATH}/[id]`,
  read: (id, { locale, viewer }) => getConsoleOrder(id, locale, viewer),
  title: ({ order_number, final_amount, customer }, locale) =>
    [order_number, formatPrice(toCents(final_amount), locale), customer.username].join(" · "),
  unknown: "order_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleOrderPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { roles } = page.viewer.staff;
  // An order has one address: that of its number, in small letters as all paths.
  const number = page.found.order_number.toLowerCase();
  if (decodeURIComponent((await props.params).id) !== number)
    redirect(localizedPath(`${PATH}/${number}`, { locale: page.locale, surface: "desktop" }));
  return (
    <OrderRecord
      order={page.found}
      people={await listMentionable("order")}
      mayAudit={mayStaff(roles, "audit.read")}
      hasSignals={hasSandboxSignals() && mayStaff(roles, "refunds.decide")}
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
