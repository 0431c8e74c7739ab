require "erb"
require "rack"
require_relative "chat_sign_in"

PAGE = ERB.new(<<~HTML)
  <!doctype html>
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
        <% if customer %>customer="<%= ERB::Util.html_escape(customer["id"]) %>"<% end %>></shop-chat>
    </body>
  </html>
HTML

use Rack::Session::Cookie, secret: ENV.fetch("SIGN_IN_SECRET"), same_site: :lax
use ChatSignIn
run(lambda do |env|
  request = Rack::Request.new(env)
  customer = request.session["customer"]
  next [200, { "content-type" => "text/html" }, [PAGE.result(binding)]] unless request.post?

  id = request.params["id"]
  request.session["customer"] = id && { "id" => id, "name" => "Customer #{id}" }
  [303, { "location" => "/" }, []]
end)
