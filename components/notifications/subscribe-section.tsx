import { useTranslations } from "next-intl";
import { SubscribeForm } from "./subscribe-form";

/** The email subscription for discount alerts, with its content and how to unsubscribe. */
export function SubscribeSection() {
  const t = useTranslations("notifications.subscribe");
  const labels = useSubscribeLabels({ label: t("email"), submit: t("submit"), sent: t("sent") });
  return (
    <section
      aria-labelledby="subscribe"
      className="grid items-center gap-x-16 gap-y-5 pt-14 md:grid-cols-2 md:pt-18"
    >
      <div>
        <h2 id="subscribe" className="text-21">
          {t("title")}
        </h2>
        <p className="pt-1.5 text-quiet">{t("text")}</p>
      </div>
      <SubscribeForm labels={labels} />
    </section>
  );
}

export type SubscribeLabels = ReturnType<typeof useSubscribeLabels>;

/** The labels of a form that sends one email address. */
export function useSubscribeLabels(labels: { label: string; submit: string; sent: string }) {
  const errors = useTranslations("errors");
  return { ...labels, invalid: errors("email_invalid"), network: errors("network") };
}
