"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordSection } from "@/components/console/record";
import { useAction } from "@/components/merchants/portal/use-action";
import { SaveProblem, useSave } from "@/components/merchants/portal/use-save";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { useTimeZone } from "@/components/ui/local-time";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { EmailInput, TextInput } from "@/components/ui/text-input";
import type { TradeDetails, TradeFile } from "@/lib/merchants/trade-file/contract";
import { type DeclaredField, LEGAL_FORMS, type TradeField } from "@/lib/merchants/trade-file/rules";
import { api } from "@/lib/platform/api/client";
import { formatDate } from "@/lib/platform/format";
import { DocumentSection } from "./document-section";
import { FIELD_TONES, FILE_TONES } from "./tones";

/** The trader file of a merchant: its details, documents and declarations, and what is missing with the deadline. */
export function BusinessScreen({ file, countries }: { file: TradeFile; countries: Option[] }) {
  const t = useTranslations("console.trade_file");
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <Pill tone={FILE_TONES[file.state]}>{t(`filestate.${file.state}`)}</Pill>
      </ConsoleHeader>
      <FileState file={file} />
      <DetailsForm key={file.revision} file={file} countries={countries} />
      <DocumentSection file={file} />
      <Declarations file={file} />
    </>
  );
}

/** The missing fields, and the consequences. */
function FileState({ file: { state, missing, due_at, held_at } }: { file: TradeFile }) {
  const t = useTranslations("console.trade_file");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const names = new Intl.ListFormat(locale).format(missing.map((field) => t(`fields.${field}`)));
  return (
    <Notice
      kind={state === "incomplete" ? "warn" : "good"}
      title={t(`state_${state}`)}
      className="mb-6 max-w-text"
    >
      {missing.length > 0 && (
        <>
          <p>{t("missing", { fields: names })}</p>
          <p>
            {held_at
              ? t("held")
              : due_at
                ? t("due", { date: formatDate(due_at, locale, timeZone) })
                : t("none_new")}
          </p>
        </>
      )}
    </Notice>
  );
}

/** The state of one field beside its inputs, with the note of staff. */
function FieldState({ file, name }: { file: TradeFile; name: TradeField }) {
  const t = useTranslations("console.trade_file");
  const field = file.fields.find((one) => one.field === name);
  if (!field) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-quiet">
      <Pill tone={FIELD_TONES[field.state]}>{t(`fieldstate.${field.state}`)}</Pill>
      {field.note && <span className="wrap-anywhere">{t("note", { note: field.note })}</span>}
    </p>
  );
}

function DetailsForm({ file, countries }: { file: TradeFile; countries: Option[] }) {
  const t = useTranslations("console.trade_file");
  const { pending, errors, save, failure } = useSave();
  const { details } = file;
  const [unregistered, setUnregistered] = useState(details.unregistered);

  async function submit(fields: FormData) {
    const text = (name: keyof TradeDetails) => String(fields.get(name) ?? "").trim();
    const body = {
      legal_name: text("legal_name"),
      form: LEGAL_FORMS.find((form) => form === text("form")) ?? null,
      unregistered,
      register_name: text("register_name"),
      register_number: text("register_number"),
      vat_id: text("vat_id"),
      tax_id: text("tax_id"),
      line1: text("line1"),
      line2: text("line2"),
      city: text("city"),
      region: text("region"),
      postal_code: text("postal_code"),
      country: text("country"),
      phone: text("phone"),
      contact_name: text("contact_name"),
      contact_email: text("contact_email") || null,
      representative: text("representative"),
      revision: file.revision,
    };
    await save((options) => api.post<TradeFile>("/merchant/trade-file", body, options), t("saved"));
  }

  const input = (
    name: Exclude<keyof TradeDetails, "form" | "unregistered" | "contact_email" | "country">,
  ) => ({
    name,
    label: t(name),
    defaultValue: details[name],
    error: errors[name],
  });
  return (
    <form
      className="flex max-w-text flex-col gap-5 pb-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void submit(new FormData(event.currentTarget));
      }}
    >
      <h2 className="text-17 font-semibold">{t("company")}</h2>
      <div className="flex flex-col gap-1.5">
        <TextInput
          {...input("legal_name")}
          hint={t("legal_name_hint")}
          autoComplete="organization"
          maxLength={100}
        />
        <FieldState file={file} name="legal_name" />
      </div>
      <div className="flex flex-col gap-1.5">
        <Select
          name="form"
          label={t("form")}
          defaultValue={details.form ?? ""}
          error={errors.form}
          options={[
            { value: "", label: t("choose") },
            ...LEGAL_FORMS.map((form) => ({ value: form, label: t(`forms.${form}`) })),
          ]}
        />
        <FieldState file={file} name="form" />
      </div>
      <div className="flex flex-col gap-3">
        <Checkbox
          label={t("unregistered")}
          checked={unregistered}
          onChange={(event) => setUnregistered(event.target.checked)}
        />
        {!unregistered && (
          <>
            <TextInput {...input("register_name")} hint={t("register_name_hint")} maxLength={100} />
            <TextInput {...input("register_number")} maxLength={40} autoComplete="off" />
          </>
        )}
        {unregistered && errors.register_name && <ErrorNotice>{errors.register_name}</ErrorNotice>}
        <FieldState file={file} name="register" />
      </div>
      <div className="flex flex-col gap-3">
        <TextInput {...input("vat_id")} hint={t("tax_hint")} maxLength={20} autoComplete="off" />
        <TextInput {...input("tax_id")} maxLength={30} autoComplete="off" />
        <FieldState file={file} name="tax" />
      </div>
      <div className="flex flex-col gap-1.5">
        <TextInput
          {...input("representative")}
          hint={t("representative_hint")}
          maxLength={100}
          autoComplete="name"
        />
        <FieldState file={file} name="representative" />
      </div>
      <h2 className="pt-2 text-17 font-semibold">{t("contact_part")}</h2>
      <div className="flex flex-col gap-3">
        <TextInput {...input("line1")} maxLength={200} autoComplete="address-line1" />
        <TextInput {...input("line2")} maxLength={200} autoComplete="address-line2" />
        <div className="grid grid-cols-[8rem_1fr] gap-3">
          <TextInput {...input("postal_code")} maxLength={20} autoComplete="postal-code" />
          <TextInput {...input("city")} maxLength={100} autoComplete="address-level2" />
        </div>
        <TextInput {...input("region")} maxLength={100} autoComplete="address-level1" />
        <Select
          name="country"
          label={t("country")}
          defaultValue={details.country}
          error={errors.country}
          options={[{ value: "", label: t("choose") }, ...countries]}
        />
        <FieldState file={file} name="address" />
      </div>
      <div className="flex flex-col gap-1.5">
        <TextInput
          {...input("phone")}
          hint={t("contact_hint")}
          type="tel"
          maxLength={40}
          autoComplete="tel"
        />
        <FieldState file={file} name="phone" />
      </div>
      <div className="flex flex-col gap-3">
        <TextInput {...input("contact_name")} maxLength={100} autoComplete="off" />
        <EmailInput
          name="contact_email"
          label={t("contact_email")}
          hint={t("contact_hint")}
          defaultValue={details.contact_email ?? ""}
          error={errors.contact_email}
        />
        <FieldState file={file} name="contact" />
      </div>
      <SaveProblem {...failure} loadLabel={t("load")} />
      <Button type="submit" look="primary" pending={pending} className="self-start">
        {t("save")}
      </Button>
    </form>
  );
}

const DECLARED: readonly {
  field: DeclaredField;
  button: "certify" | "accept";
  done: "certified" | "accepted";
}[] = [
  { field: "certification", button: "certify", done: "certified" },
  { field: "terms", button: "accept", done: "accepted" },
];

/** Where a numbered clause begins. */
const CLAUSE = /(?<!\d)(?=[1-9]\. )/;

/** The texts that an owner declares, each with its button or the date of the declaration. */
function Declarations({ file }: { file: TradeFile }) {
  const t = useTranslations("console.trade_file");
  const words = useTranslations("console.trade_words");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const { pending, problem, act } = useAction();
  const [sent, setSent] = useState<DeclaredField>();
  return (
    <RecordSection title={t("declare")}>
      <div className="flex max-w-text flex-col gap-6">
        {DECLARED.map(({ field: name, button, done }) => {
          const field = file.fields.find(({ field }) => field === name)!;
          const isDone = field.state === "given" || field.state === "checked";
          const body = name === "terms" ? { terms_version: file.terms_version } : { certification: true };
          return (
            <div key={name} className="flex flex-col gap-2">
              <h3 className="font-semibold">{t(`fields.${name}`)}</h3>
              {words(name)
                .split(CLAUSE)
                .map((clause) => (
                  <p key={clause}>{clause}</p>
                ))}
              <div className="flex flex-wrap items-center gap-3">
                <Pill tone={FIELD_TONES[field.state]}>{t(`fieldstate.${field.state}`)}</Pill>
                {isDone && field.given_at && (
                  <span className="text-13 text-quiet">
                    {t("declared_at", { date: formatDate(field.given_at, locale, timeZone) })}
                    {field.expires_at &&
                      ` · ${t("valid_until", { date: formatDate(field.expires_at, locale, timeZone) })}`}
                  </span>
                )}
                {!isDone && (
                  <Button
                    pending={pending && sent === name}
                    onClick={() => {
                      setSent(name);
                      void act(
                        (options) => api.post<TradeFile>("/merchant/trade-file/declare", body, options),
                        t(done),
                      );
                    }}
                  >
                    {t(button)}
                  </Button>
                )}
              </div>
              {sent === name && <ErrorNotice>{problem}</ErrorNotice>}
            </div>
          );
        })}
      </div>
    </RecordSection>
  );
}
