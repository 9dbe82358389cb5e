/** A button of a row. Its name begins with what it shows, and says whose row it is in. */
export function RowButton({
  of,
  disabled = false,
  onClick,
  children,
}: {
  of: string;
  disabled?: boolean;
  onClick: () => void;
  children: string;
}) {
  return (
    <button
      type="button"
      aria-label={`${children}: ${of}`}
      disabled={disabled}
      onClick={onClick}
      className="text-link -my-2.5 min-h-11 cursor-pointer min-[900px]:-my-2 min-[900px]:min-h-9"
    >
      {children}
    </button>
  );
}
