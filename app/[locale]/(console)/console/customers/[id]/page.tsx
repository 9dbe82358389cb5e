import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { CustomerRecord } from "@/components/staff/customers/customer-page";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { getConsoleCustomer, listCouponChoices } from "@/lib/staff/customers/queries";
import { mayStaff, type Permission, staff } from "@/lib/staff/rules";

const ACCESS = staff("customers.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.customer" }))("title"),
  );

export default async function ConsoleCustomerPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/customers/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const found = await getConsoleCustomer(id, page.locale).catch((error: unknown) => {
    if (!isShopError(error, "customer_unknown")) throw error;
  });
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { viewer } = page;
  const may = (permission: Permission) => mayStaff(viewer.staff.roles, permission);
  const isOther = found.customer_id !== viewer.userId && found.state !== "deleted";
  return (
    <CustomerRecord
      customer={found}
      mayWrite={may("notes.write")}
      mayAccess={isOther && may(found.state === "staff" ? "staff.manage" : "customers.access")}
      choices={isOther && may("coupons.give") ? await listCouponChoices(viewer, found.customer_id) : null}
    />
  );
}
