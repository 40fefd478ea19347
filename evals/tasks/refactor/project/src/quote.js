const money = (cents) => {
  const amount = Math.abs(cents);
  return (cents < 0 ? "-" : "") + Math.floor(amount / 100) + "." + String(amount % 100).padStart(2, "0") + " EUR";
};

/** A quote as text; tax is rounded once, and lines have blanks in place of dots. */
export function quote(items, taxRate) {
  let net = 0;
  let text = "QUOTE (not binding)\n";
  for (const item of items) {
    const sum = item.price * item.quantity;
    net += sum;
    const label = `${item.quantity} x ${item.name}`;
    text += label.slice(0, 24).padEnd(24) + money(sum).padStart(14) + "\n";
  }
  const tax = Math.round(net * taxRate);
  text += "Tax".padEnd(24) + money(tax).padStart(14) + "\n";
  text += "Total, about".padEnd(24) + money(net + tax).padStart(14) + "\n";
  return text;
}
