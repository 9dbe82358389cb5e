"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { EffectList } from "@/components/console/effects-dialog";
import { REVISION_CONFLICT, useStartAgain } from "@/components/console/use-start-again";
import { useEffectTexts } from "@/components/staff/effect-texts";
import { WAITING_CHANGED } from "@/components/staff/use-waiting";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Spinner } from "@/components/ui/spinner";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";
import type { Effect } from "@/lib/staff/preview/contract";

const APPROVAL_REQUIRED = "40941";

type Answer<R> = { effects: Effect[] | null; result: R | null };
type Props<R> = {
  open: boolean;
  title: string;
  /** The name of the action, on its button. */
  confirm: string;
  /** The action takes something away: its button is red. */
  danger?: boolean;
  /** The name of the way out, where "Cancel" reads like the action. */
  dismiss?: string;
  /** What a toast says when it is done, or how it reads from the call's result. */
  done: string | ((result: R) => string);
  /** A call whose body takes `preview` (lib/staff/preview/contract.ts). */
  path: string;
  /** The body, from the values of the fields. */
  body?: (values: FormData) => object;
  /** Fields that are filled in before the effects are shown. */
  fields?: ReactNode;
  /** The name of a field whose words others will read: they stand above the effects. */
  quotes?: string | undefined;
  /** What is wrong with the fields, before the call is made; "": nothing. */
  check?: (values: FormData) => string;
  /** What follows besides the effects that the preview finds. */
  consequences?: readonly string[];
  onDone?: () => void;
  /** In place of a toast, when the action waits for a second person. */
  onWaits?: () => void;
  onClose: () => void;
};

/** What was typed into dialogs that were not carried out, by the path of their call. */
const drafts = new Map<string, [name: string, value: string][]>();

/**
 * An action with consequences: asks for its fields, shows what the action would do, and does it. A closed reauthentication dialog
 * closes this one; an action that needs a second person waits for one. Nothing typed is lost: when the subject has changed
 * meanwhile, the fields are shown again above the new state, and a dialog that is opened again has what was typed before.
 */
export function ActionDialog<R>(props: Props<R>) {
  const {
    open,
    title,
    confirm,
    done,
    path,
    body,
    fields,
    quotes,
    consequences = [],
    onDone,
    onClose,
  } = props;
  const t = useTranslations("console.effects");
  const network = useTranslations("errors")("network");
  const toTexts = useEffectTexts();
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const startAgain = useStartAgain();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  const [shown, setShown] = useState<{ input: object; effects: Effect[]; quote: string }>();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const conflicts = useRef(0);
  const latest = useRef({ body, quotes, onClose });
  latest.current = { body, quotes, onClose };
  // An answer that arrives after the dialog was closed belongs to nothing.
  const opened = useRef(0);

  /** The answer, or null when the dialog was closed meanwhile. */
  const send = useCallback(
    async (input: object, preview: boolean) => {
      const asked = opened.current;
      setPending(true);
      setProblem("");
      const options = { networkMessage: network };
      const result = await withReauthentication(() =>
        api.post<Answer<R>>(path, { ...input, preview }, options),
      );
      if (asked !== opened.current) return null;
      setPending(false);
      if (!result.ok && result.code === REVISION_CONFLICT && form.current && conflicts.current === 0) {
        // The fields stay, and the page behind them shows what is decided about now.
        conflicts.current += 1;
        setShown(undefined);
        setProblem(result.message);
        router.refresh();
        return null;
      }
      if (startAgain(result, latest.current.onClose)) return null;
      if (!result.ok) setProblem(result.message);
      return result;
    },
    [network, withReauthentication, path, startAgain, router],
  );
  const preview = useCallback(
    async (values: FormData, hasFields: boolean) => {
      const input = latest.current.body?.(values) ?? {};
      const result = await send(input, true);
      const quote = String(values.get(latest.current.quotes ?? "") ?? "").trim();
      if (result?.ok) setShown({ input, effects: result.data.effects ?? [], quote });
      else if (result && !result.message && !hasFields) latest.current.onClose();
    },
    [send],
  );

  const hasFields = fields !== undefined;
  useEffect(() => {
    opened.current += 1;
    setShown(undefined);
    setPending(false);
    setProblem("");
    conflicts.current = 0;
    if (open && !hasFields) void preview(new FormData(), false);
  }, [open, hasFields, preview]);
  useEffect(() => {
    if (open && hasFields) restoreDraft(form.current, drafts.get(path));
  }, [open, hasFields, path]);

  async function act(input: object) {
    const result = await send(input, false);
    if (!result) return;
    const waits = !result.ok && result.code === APPROVAL_REQUIRED;
    if (!result.ok && !waits) return;
    const toast = (made: R | null) =>
      typeof done === "string" ? done : made === null ? confirm : done(made);
    drafts.delete(path);
    if (waits && props.onWaits) props.onWaits();
    else showToast(result.ok ? toast(result.data.result) : t("waits"), "good");
    onClose();
    onDone?.();
    router.refresh();
    document.dispatchEvent(new Event(WAITING_CHANGED));
  }

  const effects = shown && toTexts(shown.effects);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={t("close")}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {props.dismiss ?? t("cancel")}
          </Button>
          {shown && hasFields && <Button onClick={() => setShown(undefined)}>{t("back")}</Button>}
          {shown ? (
            <Button
              look={props.danger ? "danger" : "primary"}
              pending={pending}
              // The second press of a double click is meant for the button that stood here before.
              onClick={(event) => event.detail < 2 && void act(shown.input)}
            >
              {confirm}
            </Button>
          ) : (
            hasFields && (
              <Button type="submit" form={formId} look="primary" pending={pending}>
                {t("continue")}
              </Button>
            )
          )}
        </>
      }
    >
      {hasFields && (
        <form
          ref={form}
          id={formId}
          hidden={shown !== undefined}
          className={shown ? undefined : "flex flex-col gap-4"}
          onInput={(event) => drafts.set(path, typedIn(event.currentTarget))}
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault();
            if (pending) return;
            const values = new FormData(event.currentTarget);
            const wrong = props.check?.(values) ?? "";
            setProblem(wrong);
            if (!wrong) void preview(values, true);
          }}
        >
          {fields}
        </form>
      )}
      {shown?.quote && (
        <blockquote className="rounded-control bg-tint px-3 py-2 wrap-anywhere whitespace-pre-line">
          {shown.quote}
        </blockquote>
      )}
      {effects ? (
        <EffectList
          effects={
            consequences.length > 0 && effects.length === 0 ? consequences : [...consequences, ...effects]
          }
        />
      ) : (
        !hasFields && !problem && <Spinner />
      )}
      <ErrorNotice>{problem}</ErrorNotice>
    </Dialog>
  );
}

/** What was typed into a form, by field. Passwords and files are not kept. */
const typedIn = (form: HTMLFormElement): [string, string][] =>
  [...new FormData(form)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));

/** Types a draft into the fields that are empty. */
function restoreDraft(form: HTMLFormElement | null, draft: readonly [string, string][] = []): void {
  for (const [name, value] of draft) {
    const field = form?.elements.namedItem(name);
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (!isText || field.value !== "" || field.type === "checkbox" || field.type === "radio") continue;
    // Through the browser's own setter, so that a field kept by React learns of it.
    const prototype = Object.getPrototypeOf(field) as object;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
