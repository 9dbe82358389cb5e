import { useLocale } from "next-intl";
import type { ComponentProps } from "react";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { Emblem } from "@/components/ui/emblem";
import { TicketOwned } from "@/components/ui/ticket/ticket-owned";
import type { LibraryItem } from "@/lib/delivery/contract";

type Pass = Parameters<ReturnType<typeof usePassLabels>["name"]>[0] &
  Pick<LibraryItem, "product_name" | "product_image" | "slug" | "language" | "maker">;

type Rest = Omit<ComponentProps<typeof TicketOwned>, "title" | "href" | "lang" | "subtitle" | "emblem">;

/** The ticket of a bought pass, whatever its state, with its name, vendor, kind and picture. */
export function PassTicket({ pass, ...rest }: Rest & { pass: Pass }) {
  const labels = usePassLabels();
  const locale = useLocale();
  return (
    <TicketOwned
      {...rest}
      title={pass.product_name}
      href={`/product/${pass.slug}`}
      lang={pass.language === locale ? undefined : pass.language}
      subtitle={`${pass.maker} · ${labels.name(pass)}`}
      emblem={<Emblem src={pass.product_image} size={56} />}
    />
  );
}
