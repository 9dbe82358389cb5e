import { useTranslations } from "next-intl";
import { EntryScreen } from "@/components/accounts/sign-in/entry-screen";
import { WordsProvider } from "@/components/shell/words-provider";
import { Link } from "@/components/ui/link";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { ResetDoor } from "./reset-door";
import { RESET_WORDS } from "./reset-words";

/** A new password by a mailed code (docs/product.md#21-pages); `reset`: under the title of /reset-password. */
export function ResetScreen({ back, email, reset }: { back: SignInReturn; email?: string; reset?: boolean }) {
  const t = useTranslations("accounts.reset");
  return (
    <EntryScreen
      title={t(reset ? "reset_title" : "title")}
      lead={t("lead")}
      other={
        <>
          <span className="text-quiet">{t("question")}</span>
          <Link href={`/login${back.query}`} className="text-link flex min-h-11 items-center font-medium">
            {t("login")}
          </Link>
        </>
      }
    >
      <WordsProvider branches={RESET_WORDS}>
        <ResetDoor back={back} email={email?.slice(0, 254)} />
      </WordsProvider>
    </EntryScreen>
  );
}
