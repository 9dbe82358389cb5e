import { useLocale, useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { LocalTimes } from "@/components/ui/local-times";
import { Page } from "@/components/ui/page";
import type { InviteView } from "@/lib/merchants/team/contract";
import { formatMoment } from "@/lib/platform/format";
import { AcceptInvite, type AcceptLabels } from "./accept-invite";

/** Where the link of an invitation to a merchant leads: what it is, and accepting it; or why it cannot be accepted. */
export function InviteScreen({
  token,
  invite,
  isSignedIn,
}: {
  token: string;
  /** null: the link is not valid */
  invite: InviteView | null;
  isSignedIn: boolean;
}) {
  const t = useTranslations("merchants.invite");
  const locale = useLocale();
  const labels: AcceptLabels = {
    action: t("action"),
    hint: t("sign_in_hint"),
    other: t("other_account"),
    sign_out: t("sign_out"),
    network: useTranslations("errors")("network"),
  };
  if (!invite) return <InviteEnded state="invalid" />;
  if (invite.handle && invite.state !== "open") return <InviteEnded state="joined" handle={invite.handle} />;
  if (invite.state !== "open") return <InviteEnded state={invite.state} />;
  return (
    <Page title={t("title", { merchant: invite.merchant_name })} lead={t(`lead_${invite.role}`)} narrow>
      <div className="flex flex-col gap-6">
        <ul className="flex list-disc flex-col gap-1.5 pl-5">
          <li>{t("needs_account")}</li>
          {invite.role === "owner" && <li>{t("needs_factor")}</li>}
        </ul>
        <AcceptInvite
          token={token}
          email={invite.email}
          isSignedIn={isSignedIn}
          forViewer={invite.for_viewer}
          labels={labels}
        />
        <p className="text-13 text-quiet">
          <LocalTimes of={[invite.expires_at]}>
            {t("until", { moment: formatMoment(invite.expires_at, locale) })}
          </LocalTimes>
        </p>
      </div>
    </Page>
  );
}

type EndState = "invalid" | "used" | "expired" | "joined";

function InviteEnded({ state, handle }: { state: EndState; handle?: string }) {
  const t = useTranslations("merchants.invite");
  return (
    <Page title={t(`${state}_title`)} lead={t(`${state}_text`)} narrow>
      {handle ? (
        <ButtonLink look="primary" href={`/merchant/${handle}`}>
          {t("open_console")}
        </ButtonLink>
      ) : (
        <ButtonLink href="/">{t("home")}</ButtonLink>
      )}
    </Page>
  );
}
