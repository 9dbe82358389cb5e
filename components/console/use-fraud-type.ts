import { useTranslations } from "next-intl";

/** The bank's words in a fraud warning in the reader's language; unknown ones as they are. */
export function useFraudType() {
  const t = useTranslations("console.fraud_warnings");
  return (word: string) => (t.has(`types.${word as "misc"}`) ? t(`types.${word as "misc"}`) : word);
}
