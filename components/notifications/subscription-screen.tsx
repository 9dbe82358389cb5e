import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import type { LinkScope } from "@/lib/notifications/rules";
import { LinkAction } from "./link-action";
import { useSubscribeLabels } from "./subscribe-section";
import { UnsubscribeForm } from "./unsubscribe-form";

/** The target page of the link in a confirmation email. */
export function ConfirmScreen({ token }: { token: string | undefined }) {
  const t = useTranslations("notifications.confirm");
  const errors = useTranslations("errors");
  return (
    <Page narrow title={t("title")} lead={token ? t("lead") : errors("link_invalid")}>
      {token ? (
        <LinkAction
          call="confirm"
          token={token}
          actions={[{ label: t("submit"), done: t("done") }]}
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
  /** What the link unsubscribes from. Undefined for an invalid link. */
  scope: LinkScope | undefined;
};

/** Unsubscribes by an emailed link, or requests such a link (docs/product.md#21-pages). */
export function UnsubscribeScreen({ token, scope }: UnsubscribeProps) {
  const t = useTranslations("notifications.unsubscribe");
  const errors = useTranslations("errors");
  const lead = token ? errors("link_invalid") : t("ask");
  return (
    <Page narrow title={t("title")} lead={scope ? t(`lead.${scope}`) : lead}>
      {token && scope ? <Unsubscribe token={token} scope={scope} /> : <RequestLink />}
      <p className="pt-6 text-13 text-quiet">{t("orders")}</p>
    </Page>
  );
}

/** Unsubscribes from the link's kind of email with one press. A second button unsubscribes from all kinds. */
function Unsubscribe({ token, scope }: { token: string; scope: LinkScope }) {
  const t = useTranslations("notifications.unsubscribe");
  const errors = useTranslations("errors");
  const thisKind = { label: t("submit"), done: t(`done.${scope}`) };
  const allKinds = { label: t("all"), done: t("done.all"), body: { all: true } };
  return (
    <LinkAction
      call="unsubscribe"
      token={token}
      actions={scope === "all" ? [thisKind] : [thisKind, allKinds]}
      network={errors("network")}
    />
  );
}

function RequestLink() {
  const t = useTranslations("notifications.unsubscribe");
  const labels = useSubscribeLabels({ label: t("email"), submit: t("send"), sent: t("sent") });
  return <UnsubscribeForm labels={labels} />;
}
