import os

from flask import Flask, redirect, render_template_string, request, session

from chat_sign_in import name_customer

app = Flask(__name__)
app.secret_key = os.environ["SIGN_IN_SECRET"]
app.after_request(name_customer)

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tarn & Tread</title>
    <script type="module" src="/api/chat/embed.js"></script>
  </head>
  <body>
    <form method="post" action="/sign-in"><input name="id" aria-label="Customer"><button>Sign in</button></form>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <shop-chat agent-name="Wren" shop-name="Tarn & Tread"
      {% if customer %}customer="{{ customer.id }}"{% endif %}></shop-chat>
  </body>
</html>"""


@app.get("/")
def home():
    return render_template_string(PAGE, customer=session.get("customer"))


@app.post("/sign-in")
def sign_in():
    session["customer"] = {"id": request.form["id"], "name": "Customer " + request.form["id"]}
    return redirect("/", 303)


@app.post("/sign-out")
def sign_out():
    session.clear()
    return redirect("/", 303)
