import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-input";
import type { EditResult } from "@/lib/catalog/console/contract-editor";
import { ChangesList } from "./changes-list";
import { useFieldNames } from "./field-names";
import { useShownText } from "./plan-effect";

type Props = {
  /** what the call would do */
  result: Pick<EditResult, "changes" | "prices" | "needs_approval"> | undefined;
  title: string;
  confirm: string;
  pending: boolean;
  problem: string;
  /** null: the action has no note */
  note: string | null;
  /** Unsaved changes that the action discards. */
  discards?: boolean;
  /** what happens after it, instead of the second person of staff */
  next?: string;
  /** another way to go on, beside the confirmation */
  aside?: { label: string; onClick: () => void };
  onNote?: (note: string) => void;
  onConfirm: () => void;
  onClose: () => void;
};

/** Shows what a change does before it is saved. */
export function ReviewDialog(props: Props) {
  const {
    result,
    title,
    confirm,
    pending,
    problem,
    note,
    discards = false,
    next,
    aside,
    onNote,
    onConfirm,
    onClose,
  } = props;
  const t = useTranslations("console.editor");
  const table = useTranslations("console.table");
  const { planName } = useFieldNames();
  const shownText = useShownText();
  return (
    <Dialog
      open={result !== undefined}
      onClose={onClose}
      title={title}
      closeLabel={table("close")}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {table("cancel")}
          </Button>
          {aside && (
            <Button pending={pending} onClick={aside.onClick}>
              {aside.label}
            </Button>
          )}
          <Button look="primary" pending={pending} onClick={onConfirm}>
            {result?.needs_approval && next === undefined ? t("ask_approval") : confirm}
          </Button>
        </>
      }
    >
      {result?.needs_approval && next === undefined && <Notice kind="warn">{t("needs_approval")}</Notice>}
      {next !== undefined && <Notice kind="info">{next}</Notice>}
      {discards && <Notice kind="warn">{t("discards")}</Notice>}
      {result && result.prices.length > 0 && (
        <div>
          <p className="font-medium">{t("buyers_will_see")}</p>
          <ul className="figures pt-1">
            {result.prices.map((price) => (
              <li key={price.plan}>
                {planName(price.plan)}: {shownText(price)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="max-h-[45dvh] overflow-y-auto">
        <ChangesList changes={result?.changes ?? []} />
      </div>
      {note !== null && (
        <TextArea
          label={t("note")}
          value={note}
          rows={2}
          maxLength={500}
          onChange={(event) => onNote?.(event.target.value)}
        />
      )}
      <ErrorNotice>{problem}</ErrorNotice>
    </Dialog>
  );
}
