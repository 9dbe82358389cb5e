import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AccountLinks, ConsoleLinks } from "@/components/accounts/account-nav";
import { RESET_MESSAGES } from "@/components/accounts/password-reset/reset-screen";
import { ReauthenticationProvider } from "@/components/accounts/reauthentication/reauthentication-provider";
import { SignOut } from "@/components/accounts/sign-in/sign-out";
import { useVerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { LocalTimes } from "@/components/ui/local-times";
import { Page } from "@/components/ui/page";
import type { ProfilePage } from "@/lib/accounts/profile/contract";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG } from "@/lib/platform/i18n/locales";
import { DeviceList } from "./device-list";
import { MailSettings } from "./mail-settings";
import { PersonalData } from "./personal-data";
import { ProfileDetails } from "./profile-details";
import { ProfileRow } from "./profile-row";
import { EmailRow, PasswordRow } from "./sign-in-rows";

const MESSAGES = [
  ...RESET_MESSAGES,
  "accounts.profile",
  "accounts.signin",
  "accounts.email_change",
  "accounts.reauthentication",
  "accounts.devices",
  "accounts.mail",
  "accounts.data",
  "errors.username_invalid",
  "errors.confirm_differs",
];

/** The profile page. `returnTo`: the page that required a verified email. */
export function ProfileScreen({ page, returnTo }: { page: ProfilePage; returnTo: string | null }) {
  const t = useTranslations("accounts.profile");
  const verifyLabels = useVerifyLabels();
  const { profile, security } = page;
  return (
    <Page
      title={t("title")}
      lead={<span className="wrap-anywhere">{t("lead", { name: profile.username })}</span>}
      aside={<SignOut sessionId={profile.session_id} label={t("sign_out")} />}
    >
      <div className="grid gap-10 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-16">
        <div className="flex flex-col gap-6 lg:self-start">
          {!profile.email_verified && (
            <VerifyEmail email={profile.user_email} returnTo={returnTo} labels={verifyLabels} />
          )}
          <AccountLinks />
          <ConsoleLinks {...page.consoles} />
        </div>
        <ScopedMessages branches={MESSAGES}>
          <ReauthenticationProvider email={profile.user_email} hasPassword={security.has_password}>
            <Sections page={page} />
          </ReauthenticationProvider>
        </ScopedMessages>
      </div>
    </Page>
  );
}

function Sections({ page }: { page: ProfilePage }) {
  const t = useTranslations("accounts");
  const locale = useLocale();
  const { profile, security, identities, devices, notifications, phone } = page;
  const email = profile.user_email;
  return (
    <div className="flex flex-col gap-12">
      <ProfileSection id="details" title={t("profile.details")}>
        <ProfileDetails profile={profile} phone={phone} countries={useCallingCountries(page.callingCodes)} />
      </ProfileSection>
      <ProfileSection id="sign-in" title={t("signin.title")}>
        <EmailRow email={email} verified={profile.email_verified} />
        <PasswordRow email={email} hasPassword={security.has_password} />
        {identities.map(({ provider, email, since }) => (
          <ProfileRow
            key={provider}
            term={PROVIDERS[provider]}
            value={
              <LocalTimes of={[since]}>
                {t("signin.connected_since", { email, date: formatDate(since, locale) })}
              </LocalTimes>
            }
          />
        ))}
      </ProfileSection>
      <ProfileSection id="devices" title={t("devices.title")} lead={t("devices.text")}>
        <DeviceList key={profile.session_id} initial={devices} />
      </ProfileSection>
      <ProfileSection id="notifications" title={t("mail.title")} lead={t("mail.text", { email })}>
        <MailSettings key={email} initial={notifications} />
      </ProfileSection>
      <ProfileSection id="data" title={t("data.title")}>
        <PersonalData email={email} />
      </ProfileSection>
    </div>
  );
}

const PROVIDERS = { google: "Google", github: "GitHub" };

/** Countries with calling codes, "Japan (+81)". Built on the server, because browsers use different names. */
function useCallingCountries(codes: ProfilePage["callingCodes"]) {
  const language = HTML_LANG[useLocale()];
  const names = new Intl.DisplayNames([language], { type: "region" });
  const { compare } = new Intl.Collator(language);
  return codes
    .map(([value, code]) => ({ value, label: `${names.of(value) ?? value} (+${code})` }))
    .sort((a, b) => compare(a.label, b.label));
}

type SectionProps = { id: string; title: string; lead?: string; children: ReactNode };

/** A section of the profile with its own anchor, such as `/profile#devices`. */
function ProfileSection({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
      <h2 id={`${id}-title`} className="text-21">
        {title}
      </h2>
      {lead && <p className="max-w-text pt-1 wrap-anywhere text-quiet">{lead}</p>}
      <div className="mt-4 divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
        {children}
      </div>
    </section>
  );
}
