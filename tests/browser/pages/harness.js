// A page with a shadow root, a text field and a button: what the harness must be able to reach.
class Probe extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    const input = document.createElement('input');
    const button = document.createElement('button');
    const seen = document.createElement('output');
    button.textContent = 'Press';
    button.addEventListener('click', (event) => {
      seen.textContent += event.isTrusted ? 'clicked ' : 'untrusted ';
    });
    button.addEventListener('pointerenter', () => {
      seen.textContent += 'entered ';
    });
    input.addEventListener('keydown', (event) => {
      if (event.key.length > 1) seen.textContent += `${event.key} `;
    });
    root.append(input, button, seen);
    Object.assign(window, { probe: { input, seen } });
  }
}
customElements.define('hl-probe', Probe);
