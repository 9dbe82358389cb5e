"use client";

import { useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import type { CallError, Write } from "@/components/accounts/use-calls";
import { type FieldErrors, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";

type RowProps = { term: string; value?: ReactNode; note?: string; action?: ReactNode };

/** A row of a profile section: a label, its value or description, and its actions. */
export function ProfileRow({ term, value, note, action }: RowProps) {
  if (note)
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
        <div className="min-w-56 flex-1">
          <p className="font-semibold">{term}</p>
          <p className="text-13 text-quiet">{note}</p>
        </div>
        {action}
      </div>
    );
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 py-3 pr-3 pl-5">
      <div className="min-w-32 flex-1">
        <p className="text-13 text-quiet">{term}</p>
        <div className="wrap-anywhere">{value}</div>
      </div>
      {action}
    </div>
  );
}

type DialogRowProps = Omit<RowProps, "action"> & {
  /** The props of the button that opens the dialog. */
  button: ComponentProps<typeof Button>;
  title: string;
  children: (close: () => void) => ReactNode;
};

/** A row of the profile with a button that opens a dialog. */
export function DialogRow({ button, title, children, ...row }: DialogRowProps) {
  const t = useTranslations("accounts.profile");
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div>
      <ProfileRow {...row} action={<Button look="quiet" {...button} onClick={() => setOpen(true)} />} />
      <Dialog open={open} onClose={close} title={title} closeLabel={t("close")}>
        {children(close)}
      </Dialog>
    </div>
  );
}

/** The result of saving: a success message, or an error of the server. */
export type SaveResult = { message: string } | { error: Pick<CallError, "errors" | "message"> };

type EditorProps = {
  fields: (errors: FieldErrors) => ReactNode;
  save: (formData: FormData, write: Write) => Promise<SaveResult>;
};

/** A row that turns into a small form. `fields` renders the form and `save` submits it. */
export function EditableRow({ term, value, ...editor }: { term: string; value: ReactNode } & EditorProps) {
  const t = useTranslations("accounts.profile");
  const [editing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) editButton.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  if (editing)
    return (
      <div className="px-5 py-4">
        <RowForm {...editor} onEnd={() => setEditing(false)} />
      </div>
    );
  return (
    <ProfileRow
      term={term}
      value={value}
      action={
        <Button
          ref={editButton}
          look="quiet"
          aria-label={t("edit_named", { name: term })}
          onClick={() => setEditing(true)}
        >
          {t("edit")}
        </Button>
      }
    />
  );
}

function RowForm({ fields, save, onEnd }: EditorProps & { onEnd: () => void }) {
  const t = useTranslations("accounts.profile");
  const callForm = useForm(useTranslations("errors")("network"));
  const { form, errors, showError, problem, pending, run, write, formProps } = callForm;
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), [form]);

  async function send(formData: FormData) {
    const result = await save(formData, write);
    if ("error" in result) return showError(result.error);
    showToast(result.message, "good");
    onEnd();
  }

  return (
    <form {...formProps((_, formData) => run("save", () => send(formData)))} className="flex flex-col gap-4">
      {fields(errors)}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" pending={pending !== undefined}>
          {t("save")}
        </Button>
        <Button onClick={onEnd}>{t("cancel")}</Button>
      </div>
    </form>
  );
}
