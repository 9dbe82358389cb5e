import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import type { LinkScope } from "@/lib/notifications/rules";
import { LinkAction } from "./link-action";
import { UnsubscribeForm } from "./unsubscribe-form";

/** Where the link of a confirmation mail leads. */
export function ConfirmScreen({ token }: { token: string | undefined }) {
  const t = useTranslations("notifications.confirm");
  const errors = useTranslations("errors");
  return (
    <Page narrow title={t("title")} lead={token ? t("lead") : errors("link_invalid")}>
      {token ? (
        <LinkAction
          call="confirm"
          token={token}
          steps={[{ label: t("submit"), done: t("done") }]}
          network={errors("network")}
        />
      ) : (
        <ButtonLink href="/">{t("home")}</ButtonLink>
      )}
    </Page>
  );
}

type UnsubscribeProps = {
  token: string | undefined;
  /** What the link ends; undefined for one that is not ours. */
  scope: LinkScope | undefined;
};

/** Ends bulk mail: by the link of a mail, or by asking for such a link (docs/product.md#21-pages /unsubscribe). */
export function UnsubscribeScreen({ token, scope }: UnsubscribeProps) {
  const t = useTranslations("notifications.unsubscribe");
  const errors = useTranslations("errors");
  const ask = token ? errors("link_invalid") : t("ask");
  return (
    <Page narrow title={t("title")} lead={scope ? t(`lead.${scope}`) : ask}>
      {token && scope ? <EndMail token={token} scope={scope} /> : <AskForLink />}
      <p className="pt-6 text-13 text-quiet">{t("orders")}</p>
    </Page>
  );
}

/** One press ends what the link is for; where that is one kind of mail, another press ends all. */
function EndMail({ token, scope }: { token: string; scope: LinkScope }) {
  const t = useTranslations("notifications.unsubscribe");
  const errors = useTranslations("errors");
  const own = { label: t("submit"), done: t(`done.${scope}`) };
  const all = { label: t("all"), done: t("done.all"), body: { all: true } };
  return (
    <LinkAction
      call="unsubscribe"
      token={token}
      steps={scope === "all" ? [own] : [own, all]}
      network={errors("network")}
    />
  );
}

function AskForLink() {
  const t = useTranslations("notifications.unsubscribe");
  const errors = useTranslations("errors");
  const labels = {
    label: t("email"),
    submit: t("send"),
    sent: t("sent"),
    invalid: errors("email_invalid"),
    network: errors("network"),
  };
  return <UnsubscribeForm labels={labels} />;
}
