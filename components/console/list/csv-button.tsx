import { Icon } from "@/components/ui/icon";
import { Spinner } from "@/components/ui/spinner";
import { TOOL } from "./list-toolbar";

/** Downloads a list as CSV. `label`: what it does, for those who do not see it. */
export function CsvButton({
  label,
  pending,
  onDownload,
}: {
  label: string;
  pending: boolean;
  onDownload: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-busy={pending || undefined}
      onClick={() => pending || onDownload()}
      className={TOOL}
    >
      {pending ? <Spinner /> : <Icon name="table" size={16} />}
      CSV
    </button>
  );
}
