"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { useStartAgain } from "@/components/console/use-start-again";
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
  /** What is wrong with the fields, before the call is made; "": nothing. */
  check?: (values: FormData) => string;
  /** What follows besides the effects that the preview finds. */
  consequences?: readonly string[];
  onDone?: () => void;
  /** In place of a toast, when the action waits for a second person. */
  onWaits?: () => void;
  onClose: () => void;
};

/**
 * An action with consequences: asks for its fields, shows what the action would do, and does it. A closed reauthentication dialog
 * closes this one; an action that needs a second person waits for one.
 */
export function ActionDialog<R>(props: Props<R>) {
  const { open, title, confirm, done, path, body, fields, consequences = [], onDone, onClose } = props;
  const t = useTranslations("console.effects");
  const network = useTranslations("errors")("network");
  const toTexts = useEffectTexts();
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const startAgain = useStartAgain();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  const [shown, setShown] = useState<{ input: object; effects: Effect[] }>();
  const formId = useId();
  const latest = useRef({ body, onClose });
  latest.current = { body, onClose };
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
      if (startAgain(result, latest.current.onClose)) return null;
      if (!result.ok) setProblem(result.message);
      return result;
    },
    [network, withReauthentication, path, startAgain],
  );
  const preview = useCallback(
    async (values: FormData, hasFields: boolean) => {
      const input = latest.current.body?.(values) ?? {};
      const result = await send(input, true);
      if (result?.ok) setShown({ input, effects: result.data.effects ?? [] });
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
    if (open && !hasFields) void preview(new FormData(), false);
  }, [open, hasFields, preview]);

  async function act(input: object) {
    const result = await send(input, false);
    if (!result) return router.refresh();
    const waits = !result.ok && result.code === APPROVAL_REQUIRED;
    if (!result.ok && !waits) return;
    const toast = (made: R | null) =>
      typeof done === "string" ? done : made === null ? confirm : done(made);
    if (waits && props.onWaits) props.onWaits();
    else showToast(result.ok ? toast(result.data.result) : t("waits"), "good");
    onClose();
    onDone?.();
    router.refresh();
    document.dispatchEvent(new Event(WAITING_CHANGED));
  }

  if (!shown)
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
            {hasFields && (
              <Button type="submit" form={formId} look="primary" pending={pending}>
                {t("continue")}
              </Button>
            )}
          </>
        }
      >
        {hasFields ? (
          <form
            id={formId}
            className="flex flex-col gap-4"
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
        ) : (
          !problem && <Spinner />
        )}
        <ErrorNotice>{problem}</ErrorNotice>
      </Dialog>
    );
  return (
    <EffectsDialog
      open={open}
      title={title}
      effects={
        consequences.length > 0 && shown.effects.length === 0
          ? consequences
          : [...consequences, ...toTexts(shown.effects)]
      }
      confirm={confirm}
      danger={props.danger}
      dismiss={props.dismiss}
      pending={pending}
      problem={problem}
      onConfirm={() => void act(shown.input)}
      onClose={onClose}
    />
  );
}
