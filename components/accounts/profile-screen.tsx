import { useLocale, useTranslations } from "next-intl";
import { LanguageSelect } from "@/components/shell/language-select";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import type { ProfileView } from "@/lib/accounts/contract";
import { formatDate } from "@/lib/format";
import { SignOut } from "./sign-out";
import { useVerifyWords } from "./use-verify-words";
import { VerifyEmail } from "./verify-email";

/**
 * One's own account: who one is here, where one's things are, and the way out. `back`: an address of this shop that
 * asked for a proved e-mail address.
 */
export function ProfileScreen({ profile, back }: { profile: ProfileView; back: string | null }) {
  const t = useTranslations("accounts.profile");
  return (
    <Page
      narrow
      title={t("title")}
      lead={<span className="wrap-anywhere">{t("lead", { name: profile.username })}</span>}
      aside={<SignOut sessionId={profile.session_id} label={t("sign_out")} />}
    >
      <div className="flex flex-col gap-10">
        {!profile.email_verified && <Unverified email={profile.user_email} back={back} />}
        <Places />
        <Details profile={profile} />
      </div>
    </Page>
  );
}

function Unverified({ email, back }: { email: string; back: string | null }) {
  return <VerifyEmail email={email} back={back} words={useVerifyWords()} />;
}

const PLACES: readonly { name: "library" | "orders" | "cart"; href: string; icon: IconName }[] = [
  { name: "library", href: "/library", icon: "library" },
  { name: "orders", href: "/order-history", icon: "card" },
  { name: "cart", href: "/cart", icon: "cart" },
];

function Places() {
  const t = useTranslations("accounts.profile");
  const names = useTranslations("ui.links");
  return (
    <nav aria-label={t("places")}>
      <ul className="divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
        {PLACES.map(({ name, href, icon }) => (
          <li key={name}>
            <Link href={href} className="group flex items-center gap-4 rounded-ticket px-5 py-4">
              <Icon name={icon} size={22} className="text-quiet" />
              <span className="min-w-0 flex-1">
                <span className="block font-semibold group-hover:underline">{names(name)}</span>
                <span className="block text-13 text-quiet">{t(name)}</span>
              </span>
              <Icon name="right" size={18} className="text-quiet" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Details({ profile }: { profile: ProfileView }) {
  const t = useTranslations("accounts");
  const locale = useLocale();
  const email = (
    <span className="flex flex-col items-end">
      <span className="wrap-anywhere">{profile.user_email}</span>
      <span className={`text-13 ${profile.email_verified ? "text-good" : "text-warn"}`}>
        {t(profile.email_verified ? "profile.verified" : "profile.unverified")}
      </span>
    </span>
  );
  return (
    <section>
      <h2 className="pb-2 text-21">{t("profile.details")}</h2>
      <DefinitionRows
        rows={[
          { term: t("field.username"), value: <span className="wrap-anywhere">{profile.username}</span> },
          { term: <span className="whitespace-nowrap">{t("field.email")}</span>, value: email },
          { term: t("profile.since"), value: formatDate(profile.member_since, locale) },
          {
            term: t("profile.language"),
            value: (
              <span className="-my-2.5 -mr-2.5 inline-block">
                <LanguageSelect label={t("profile.language")} />
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}
