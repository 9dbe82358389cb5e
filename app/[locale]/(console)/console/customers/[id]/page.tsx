import { CustomerRecord } from "@/components/accounts/console/customer-page";
import { MailTable } from "@/components/notifications/console/mail-table";
import { CustomerOrders } from "@/components/orders/console/customer-orders";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { mayStaff, type Permission } from "@/lib/platform/auth/permissions";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { getConsoleCustomer } from "@/lib/staff/customers/get-console-customer";
import { listCouponChoices } from "@/lib/staff/customers/list-coupon-choices";
import { listMentionable } from "@/lib/staff/notes/list-mentionable";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("customers.read"), {
  path: "/console/customers/[id]",
  read: (id, { locale }) => getConsoleCustomer(id, locale),
  title: ({ email, username }) => `${email} · ${username}`,
  unknown: "customer_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleCustomerPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { viewer, found } = page;
  const may = (permission: Permission) => mayStaff(viewer.staff.roles, permission);
  const isOther = found.customer_id !== viewer.userId && found.state !== "deleted";
  return (
    <CustomerRecord
      customer={found}
      people={await listMentionable("customer")}
      orders={<CustomerOrders customer={found} />}
      mails={<MailTable mails={found.mails} />}
      mayWrite={may("notes.write")}
      mayAccess={isOther && may(found.state === "staff" ? "staff.manage" : "customers.access")}
      choices={isOther && may("coupons.give") ? await listCouponChoices(viewer, found.customer_id) : null}
    />
  );
}
