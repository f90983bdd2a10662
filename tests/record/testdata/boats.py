"""The application of Gradio that TestChangedApps uses."""
import os

import gradio as gr


def greet(name, times, loud, language):
    word = {"English": "Hello", "Norwegian": "Hei"}[language]
    text = " ".join([f"{word}, {name}!"] * int(times))
    return text.upper() if loud else text


with gr.Blocks(title="Boats", analytics_enabled=False) as app:
    gr.Markdown("# Boats")
    with gr.Tab("Greet"):
        name = gr.Textbox(label="Name")
        times = gr.Number(label="Times", value=1)
        loud = gr.Checkbox(label="Loud")
        language = gr.Radio(["English", "Norwegian"], value="English", label="Language")
        answer = gr.Textbox(label="Answer")
        gr.Button("Greet").click(greet, [name, times, loud, language], answer)
        gr.Button("Forget").click(lambda: "", None, answer)
    with gr.Tab("Notes"):
        note = gr.Textbox(label="Note", lines=3)
        kept = gr.Textbox(label="Kept")
        gr.Button("Keep").click(lambda text: text, note, kept)

app.launch(server_name="127.0.0.1", server_port=int(os.environ["PORT"]), share=False)
