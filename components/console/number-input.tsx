import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { TextInput } from "@/components/ui/text-input";
import { TYPED_NUMBER } from "@/lib/platform/typed-number";

/**
 * A field for an amount or a count, to be read by `parseTypedNumber`. It is a text field: in
 * one of the type "number" each browser reads or refuses `1,000` by its own language, and hides from the page what it refuses.
 */
export function NumberInput(props: ComponentProps<typeof TextInput>) {
  const t = useTranslations("console.table");
  return (
    <TextInput
      inputMode="decimal"
      pattern={TYPED_NUMBER}
      title={t("number_hint")}
      autoComplete="off"
      maxLength={20}
      {...props}
    />
  );
}
