"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import type { Option } from "@/components/ui/select";
import { showToast } from "@/components/ui/toast";
import type { BillingAddress, BillingList } from "@/lib/accounts/billing/contract";
import { addressLines } from "@/lib/accounts/billing/rules";
import { MAX_BILLING_ADDRESSES } from "@/lib/accounts/rules";
import { BillingForm } from "./billing-form";
import { EmptyList } from "./empty-list";
import { RemoveButton } from "./remove-button";

/** The list of billing addresses, with controls to add, edit, remove and choose the default. */
export function BillingAddressList({
  initial,
  countries,
}: {
  initial: BillingAddress[];
  countries: readonly Option[];
}) {
  const t = useTranslations("accounts.billing");
  const [addresses, setAddresses] = useState(initial);
  const heading = useRef<HTMLHeadingElement>(null);
  const [edited, setEdited] = useState<BillingAddress | "new" | null>(null);
  const isFull = addresses.length >= MAX_BILLING_ADDRESSES;

  function saved(list: BillingList) {
    setAddresses(list.addresses);
    setEdited(null);
    showToast(t("saved"), "good");
  }
  const add = (
    <Button onClick={() => setEdited("new")}>
      <Icon name="plus" size={18} />
      {t("add")}
    </Button>
  );

  return (
    <section aria-labelledby="billing-title" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="billing-title" ref={heading} tabIndex={-1} className="text-21 outline-none">
          {t("title")}
        </h2>
        {addresses.length > 0 && !isFull && add}
      </div>
      {isFull && <p className="text-quiet">{t("full", { limit: MAX_BILLING_ADDRESSES })}</p>}
      {addresses.length === 0 ? (
        <EmptyList title={t("empty_title")} action={add}>
          {t("empty_text")}
        </EmptyList>
      ) : (
        <ul className="divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
          {addresses.map((address) => (
            <Address
              key={address.address_id}
              address={address}
              country={countries.find(({ value }) => value === address.country)?.label ?? address.country}
              onEdit={() => setEdited(address)}
              onChange={(list) => {
                setAddresses(
                  (previous) =>
                    list?.addresses ?? previous.filter((a) => a.address_id !== address.address_id),
                );
                heading.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <Dialog
        open={edited !== null}
        onClose={() => setEdited(null)}
        title={t(edited === "new" ? "add_title" : "edit_title")}
        closeLabel={t("close")}
      >
        <BillingForm
          address={edited === "new" ? null : edited}
          first={addresses.length === 0}
          countries={countries}
          onSaved={saved}
          onClose={() => setEdited(null)}
        />
      </Dialog>
    </section>
  );
}

type AddressProps = {
  address: BillingAddress;
  country: string;
  onEdit: () => void;
  /** Receives the changed list, or null when the address was already removed. */
  onChange: (list: BillingList | null) => void;
};

function Address({ address, country, onEdit, onChange }: AddressProps) {
  const t = useTranslations("accounts.billing");
  const { pending, run, post } = useCalls(useTranslations("errors")("network"));
  const lines = addressLines(address, country);
  const name = `${address.full_name}, ${address.line1}`;
  async function makeDefault() {
    const result = await post("/auth/billing/save", { ...address, is_default: true });
    if (!result.ok) return showToast(result.message, "bad");
    showToast(t("default_moved"), "good");
    onChange(result.data);
  }

  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-4 pr-2 pl-5">
      <div className="min-w-56 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {address.full_name}
          {address.is_default && (
            <span className="rounded-full border border-control px-2 text-13 font-medium text-quiet">
              {t("default")}
            </span>
          )}
        </p>
        <address className="text-quiet not-italic">
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines of an address may be equal, so no line is a unique key
            <span key={i} className="block">
              {line}
            </span>
          ))}
        </address>
      </div>
      <div className="-ml-3 flex flex-wrap">
        {!address.is_default && (
          <Button
            look="quiet"
            aria-label={t("make_default_named", { name })}
            pending={pending !== undefined}
            onClick={() => void run("default", makeDefault)}
          >
            {t("make_default")}
          </Button>
        )}
        <Button look="quiet" aria-label={t("edit_named", { name })} onClick={onEdit}>
          {t("edit")}
        </Button>
        <RemoveButton<BillingList>
          path="/auth/billing/delete"
          body={{ address_id: address.address_id }}
          labels={{
            button: t("remove"),
            accessibleName: t("remove_named", { name }),
            title: t("remove_title"),
            text: t("remove_text", { name }),
            done: t("removed"),
            keep: t("keep"),
            close: t("close"),
          }}
          onDone={onChange}
        />
      </div>
    </li>
  );
}
