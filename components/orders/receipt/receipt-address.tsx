import { useLocale, useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { BillingAddress } from "@/lib/accounts/billing/contract";
import { addressLines } from "@/lib/accounts/billing/rules";

/**
 * The billing address of the receipt. It is selected from the stored addresses by a link. The selection is not
 * printed.
 */
export function BilledTo({
  orderId,
  addresses,
  addressId,
  email,
}: {
  orderId: string;
  addresses: readonly BillingAddress[];
  addressId: string | undefined;
  email: string;
}) {
  const t = useTranslations("orders.receipt");
  const locale = useLocale();
  const chosen = addresses.find((address) => address.address_id === addressId) ?? addresses[0];
  return (
    <div>
      <p className="text-13 text-quiet">{t("billed_to")}</p>
      {chosen && (
        <address className="not-italic">
          <p className="font-semibold">{chosen.full_name}</p>
          {toLines(chosen, locale).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </address>
      )}
      <p className="break-all">{email}</p>
      <div className="flex flex-col items-start pt-2 text-13 print:hidden">
        {addresses.length > 1 &&
          addresses.map((address) => (
            <Link
              key={address.address_id}
              href={`/receipt?order_id=${orderId}&address_id=${address.address_id}`}
              replace
              aria-current={address === chosen ? "true" : undefined}
              className={classNames("hit py-1.5 underline", address === chosen && "font-semibold")}
            >
              {t("use_address", { name: address.full_name, line: address.line1 })}
            </Link>
          ))}
        <Link href="/payment-billing" className="hit py-1.5 underline">
          {t(addresses.length > 0 ? "edit_addresses" : "add_address")}
        </Link>
      </div>
    </div>
  );
}

function toLines(address: BillingAddress, locale: string): string[] {
  const country = new Intl.DisplayNames(locale, { type: "region" }).of(address.country) ?? address.country;
  return addressLines(address, country);
}
