import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
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

/** Ends bulk mail: by the link of a mail, or by asking for such a link (spec §2 /unsubscribe). */
export function UnsubscribeScreen({ token }: { token: string | undefined }) {
  const t = useTranslations("notifications.unsubscribe");
  const errors = useTranslations("errors");
  if (token)
    return (
      <Page narrow title={t("title")} lead={t("lead")}>
        <LinkAction
          call="unsubscribe"
          token={token}
          steps={[
            { label: t("submit"), done: t("done") },
            { label: t("all"), done: t("all_done"), body: { all: true } },
          ]}
          network={errors("network")}
        />
        <p className="pt-6 text-13 text-quiet">{t("orders")}</p>
      </Page>
    );
  const words = {
    label: t("email"),
    submit: t("send"),
    sent: t("sent"),
    invalid: errors("email_invalid"),
    network: errors("network"),
  };
  return (
    <Page narrow title={t("title")} lead={t("ask")}>
      <UnsubscribeForm words={words} />
      <p className="pt-6 text-13 text-quiet">{t("orders")}</p>
    </Page>
  );
}
