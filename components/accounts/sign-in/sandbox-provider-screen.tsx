import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import type { SandboxPageLabels } from "@/lib/accounts/social-sign-in/rules-sandbox";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";

type Props = {
  page: {
    provider: "google" | "github";
    locale: Locale;
    labels: SandboxPageLabels;
    fields: Record<string, string>;
  };
};

/** Takes the place of a provider's page in the sandbox: any address signs in, verified or not. */
export function SandboxProviderScreen({ page: { provider, locale, labels, fields } }: Props) {
  return (
    <main lang={HTML_LANG[locale]} className="mx-auto flex max-w-column flex-col gap-6 p-6">
      <h1 className="text-21">{labels[provider]}</h1>
      <Notice>{labels.text}</Notice>
      <form method="post" action={`/dev/sign-in/${provider}/answer`} className="flex flex-col gap-5">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label className="flex flex-col gap-2">
          <span className="font-medium">{labels.email}</span>
          <input
            name="email"
            type="email"
            required
            maxLength={254}
            autoCapitalize="none"
            autoComplete="email"
            placeholder="you@example.com"
            className="control"
          />
        </label>
        <Checkbox name="verified" defaultChecked label={labels.verified} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary">
            {labels.submit}
          </Button>
          <Button type="submit" name="cancel" formNoValidate>
            {labels.cancel}
          </Button>
        </div>
      </form>
    </main>
  );
}
