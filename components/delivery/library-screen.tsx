import { useTranslations } from "next-intl";
import { AccountNav } from "@/components/accounts/account-nav";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { LibraryList } from "@/lib/delivery/contract";
import { ExpiredPass, OwnedPass } from "./owned-pass";
import { PASS_MESSAGES } from "./pass-messages";

export function LibraryScreen({ library }: { library: LibraryList }) {
  const t = useTranslations("delivery.library");
  const now = Date.parse(library.server_time);
  const hasEnded = (endsAt: string | null) => endsAt !== null && Date.parse(endsAt) <= now;
  const running = library.items.filter((item) => !hasEnded(item.ends_at));
  const ended = library.items.filter((item) => hasEnded(item.ends_at));
  return (
    <ScopedMessages branches={PASS_MESSAGES}>
      <Page
        above={<AccountNav />}
        title={t("title")}
        lead={running.length > 0 ? t("lead", { count: running.length }) : undefined}
        narrow
      >
        {library.total === 0 ? (
          <EmptyState
            title={t("empty_title")}
            action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
          >
            {t("empty_text")}
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-5">
            {running.map((item) => (
              <li key={item.library_id}>
                <OwnedPass item={item} serverTime={library.server_time} />
              </li>
            ))}
          </ul>
        )}
        {ended.length > 0 && (
          <section aria-labelledby="ended" className={running.length > 0 ? "pt-12" : undefined}>
            <h2 id="ended" className="pb-2 text-17 text-quiet">
              {t("ended_title")}
            </h2>
            <ul className="divide-y divide-hairline border-y border-hairline">
              {ended.map((item) => (
                <li key={item.library_id}>
                  <ExpiredPass item={item} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </Page>
    </ScopedMessages>
  );
}
