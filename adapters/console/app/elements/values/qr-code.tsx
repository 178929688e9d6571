/** A QR code of a text, drawn as one path. */
import { encode } from "uqr";

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: 1 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#000000" />
    </svg>
  );
}
