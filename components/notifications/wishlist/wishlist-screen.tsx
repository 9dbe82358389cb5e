import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AccountNav } from "@/components/accounts/account-nav";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";
import { SyncWishlist } from "./sync-wishlist";

type Props = {
  /** the saved products; null if there are none */
  tickets: ReactNode;
  /** the products requested by this page */
  shown: readonly number[];
  /** null: a guest */
  owner: { verified: boolean } | null;
  surface: Surface;
};

/** The saved products, last saved first, and which emails the reader gets about them. */
export function WishlistScreen({ tickets, shown, owner, surface }: Props) {
  const t = useTranslations("notifications.wishlist");
  return (
    <Page title={t("title")} above={owner && <AccountNav />} lead={<Mails owner={owner} surface={surface} />}>
      <SyncWishlist account={owner !== null} shown={shown} />
      {tickets ?? (
        <EmptyState
          title={t("empty_title")}
          action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
        >
          {t("empty_text")}
        </EmptyState>
      )}
    </Page>
  );
}

/** Who gets emails about the saved products, and what the reader can do for it. */
function Mails({ owner, surface }: Pick<Props, "owner" | "surface">) {
  const t = useTranslations("notifications.wishlist");
  const returnPath = localizedPath("/wishlist", { locale: useLocale(), surface });
  if (owner?.verified) return t("mails");
  const [href, text] = owner
    ? (["/profile", t("verify")] as const)
    : ([`/login?redirect=${encodeURIComponent(returnPath)}`, t("log_in")] as const);
  return (
    <>
      {t(owner ? "unverified" : "guest")}{" "}
      <Link href={href} className="text-link">
        {text}
      </Link>
    </>
  );
}
