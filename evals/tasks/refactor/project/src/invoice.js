function money(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}${whole}.${rest} EUR`;
}

/** An invoice as text; each line's tax is rounded by itself. */
export function invoice(items, taxRate) {
  let net = 0;
  let tax = 0;
  let text = "INVOICE\n";
  for (const { name, price, quantity } of items) {
    const sum = price * quantity;
    net += sum;
    tax += Math.round(sum * taxRate);
    const label = `${quantity} x ${name}`.slice(0, 24);
    text += `${label.padEnd(24, ".")}${money(sum).padStart(14)}\n`;
  }
  text += `${"Tax".padEnd(24, ".")}${money(tax).padStart(14)}\n`;
  text += `${"Total".padEnd(24, ".")}${money(net + tax).padStart(14)}\n`;
  return text;
}
