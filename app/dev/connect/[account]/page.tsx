import { notFound } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { DEFAULT_LOCALE, HTML_LANG } from "@/lib/platform/i18n/locales";
import { findOnboarding, ONBOARDING_CHOICES } from "@/lib/platform/stripe/sandbox/connect-accounts";

type Props = {
  params: Promise<{ account: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const namespace = "console.sandbox_connect";

async function findPage({ params, searchParams }: Props) {
  const { account } = await params;
  const token = String((await searchParams).link ?? "");
  const found = await findOnboarding(account, token);
  return found && { account, token, ...found };
}

export async function generateMetadata(props: Props) {
  const locale = (await findPage(props))?.locale ?? DEFAULT_LOCALE;
  return { title: { absolute: (await consoleTranslations({ locale, namespace }))("title") } };
}

/**
 * The sandbox's page in place of the payment provider's, on which a merchant gives its details, in the language of the page it came from.
 * 404 outside of the sandbox.
 */
export default async function SandboxOnboardingPage(props: Props) {
  const found = await findPage(props);
  if (!found) notFound();
  const { account, token, name, locale } = found;
  const t = await consoleTranslations({ locale, namespace });
  return (
    <main lang={HTML_LANG[locale]} className="mx-auto flex max-w-column flex-col gap-6 p-6">
      <h1 className="text-21 font-semibold">{t("title")}</h1>
      <Notice>{t("lead", { name })}</Notice>
      <form method="post" action={`/dev/connect/${account}/answer`} className="flex flex-wrap gap-3">
        <input type="hidden" name="link" value={token} />
        {ONBOARDING_CHOICES.map((choice, index) => (
          <Button
            key={choice}
            type="submit"
            look={index === 0 ? "primary" : "secondary"}
            name="choice"
            value={choice}
          >
            {t(`choice.${choice}`)}
          </Button>
        ))}
      </form>
    </main>
  );
}
