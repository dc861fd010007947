/* Search from disk: browsers refuse web workers on file: URLs, so there the search runs in a hidden frame instead.
   Material's offline plugin would load such a script from another host if none were named after it. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const worker = frame.contentWindow;
      worker.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = new Promise((resolve, reject) => {
        const script = worker.document.createElement("script");
        Object.assign(script, { src: url, onload: resolve, onerror: reject });
        worker.document.body.append(script);
      });
      this.worker = worker;
    }

    postMessage(data) {
      this.ready.then(() => this.worker.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
